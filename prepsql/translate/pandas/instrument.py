"""A program whose calls, attributes, subscripts, operators and stores go through hooks."""

from __future__ import annotations

import ast
import copy

from prepsql.translate.pandas.hooked import HOOKS, bound_names, hook, like
from prepsql.translate.pandas.instrument_folds import branch_of, folded, joined, joined_names, names_of, step_of
from prepsql.translate.pandas.names import RETURNED, read, stored


def instrument(program: str) -> ast.Module:
    """Return the syntax tree of the program with hooks in it; raises SyntaxError.

    Every hook gets the line first. Functions and loop bodies say after each statement what their names stand for, so
    that a table can be traced to the statement that made it.
    """
    tree: ast.Module = _Instrumenter().visit(ast.parse(program))
    return ast.fix_missing_locations(tree)


class _Instrumenter(ast.NodeTransformer):
    def __init__(self) -> None:
        # how many functions it is inside of, whether the next is solve, and the names that are its own
        self._functions = 0
        self._solving = False
        self._own: set[str] = set()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """f(a, b=c) → hooks.call(line, f, a, b=c); x.f(a) → hooks.method(line, x, 'f', a)."""
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals", "vars"):
            return node
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [self.visit(keyword) for keyword in node.keywords]
        starred = len(node.args) == 1 and isinstance(node.args[0], ast.Starred) and not node.keywords
        if starred and isinstance(node.func, ast.Name) and node.func.id == "zip":
            assert isinstance(arguments[0], ast.Starred)
            return like(node, hook(node, "unzipped", self.visit(node.func), arguments[0].value))
        if isinstance(node.func, ast.Attribute):
            made = hook(node, "method", self.visit(node.func.value), ast.Constant(node.func.attr), *arguments)
        else:
            made = hook(node, "call", self.visit(node.func), *arguments)
        made.keywords = keywords
        return like(node, made)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """x.a → hooks.attribute(line, x, 'a')."""
        value = self.visit(node.value)
        if not isinstance(node.ctx, ast.Load):
            return like(node, ast.Attribute(value, node.attr, node.ctx))
        return like(node, hook(node, "attribute", value, ast.Constant(node.attr)))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """x[k] → hooks.item(line, x, k)."""
        value, key = self.visit(node.value), self._key(node.slice)
        if not isinstance(node.ctx, ast.Load):
            return like(node, ast.Subscript(value, key, node.ctx))
        return like(node, hook(node, "item", value, key))

    def _key(self, node: ast.expr) -> ast.expr:
        """Return a subscript as an expression: a slice becomes a call of slice."""
        if isinstance(node, ast.Slice):
            bounds = [
                self.visit(bound) if bound else ast.Constant(None) for bound in (node.lower, node.upper, node.step)
            ]
            return ast.Call(ast.Name("slice", ast.Load()), bounds, [])
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self._key(element) for element in node.elts], ast.Load())
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """X + y → hooks.binary(line, 'Add', x, y)."""
        operator = ast.Constant(type(node.op).__name__)
        return like(node, hook(node, "binary", operator, self.visit(node.left), self.visit(node.right)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """~x → hooks.unary(line, 'Invert', x)."""
        return like(node, hook(node, "unary", ast.Constant(type(node.op).__name__), self.visit(node.operand)))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """X < y → hooks.compare(line, 'Lt', x, y); a chain becomes an and, whose middle is looked at once."""
        if len(node.ops) == 1:
            operator = ast.Constant(type(node.ops[0]).__name__)
            return like(node, hook(node, "compare", operator, self.visit(node.left), self.visit(node.comparators[0])))
        names = [f"__compared_{node.lineno}_{node.col_offset}_{at}" for at in range(1, len(node.ops))]
        tests: list[ast.expr] = []
        left = self.visit(node.left)
        for at, (sign, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            value = self.visit(right)
            if at < len(names):
                value = ast.NamedExpr(ast.Name(names[at], ast.Store()), value)
            tests.append(hook(node, "compare", ast.Constant(type(sign).__name__), left, value))
            if at < len(names):
                left = ast.Name(names[at], ast.Load())
        return like(node, ast.BoolOp(ast.And(), tests))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """f'{x:.2f} a' → hooks.format(line, (x, conversion, spec), 'a')."""
        parts: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                spec = self.visit(value.format_spec) if value.format_spec else ast.Constant("")
                parts.append(ast.Tuple([self.visit(value.value), ast.Constant(value.conversion), spec], ast.Load()))
            else:
                parts.append(value)
        return like(node, hook(node, "format", *parts))

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """x[k] = v → hooks.set_item(line, x, k, v); x.a = v → hooks.set_attribute(line, x, 'a', v)."""
        value = self.visit(node.value)
        if not any(map(_has_place, node.targets)):
            node.value, node.targets = self._named(node, value), [self.visit(target) for target in node.targets]
            return node
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript | ast.Attribute):
            return like(node, ast.Expr(self._store(node.targets[0], value)))
        name = f"__stored_{node.lineno}_{node.col_offset}"
        made: list[ast.stmt] = [like(node, ast.Assign([ast.Name(name, ast.Store())], value))]
        for target in node.targets:
            made += self._unpacked(target, name)
        return made

    def _named(self, node: ast.Assign, value: ast.expr) -> ast.expr:
        [target, *others] = node.targets
        if others or not isinstance(target, ast.Name) or not self._functions or self._solving:
            return value
        return hook(target, "named", ast.Constant(target.id), value)

    def _unpacked(self, target: ast.expr, name: str) -> list[ast.stmt]:
        """Return the statements that store what a name stands for in a target, part by part."""
        value = ast.Name(name, ast.Load())
        if isinstance(target, ast.Subscript | ast.Attribute):
            return [like(target, ast.Expr(self._store(target, value)))]
        if not isinstance(target, ast.Tuple | ast.List) or not _has_place(target):
            return [like(target, ast.Assign([target], value))]
        names = [f"{name}_{at}" for at in range(len(target.elts))]
        parts: list[ast.expr] = [
            ast.Starred(ast.Name(part, ast.Store()), ast.Store())
            if isinstance(one, ast.Starred)
            else ast.Name(part, ast.Store())
            for part, one in zip(names, target.elts, strict=True)
        ]
        made: list[ast.stmt] = [like(target, ast.Assign([ast.Tuple(parts, ast.Store())], value))]
        for part, one in zip(names, target.elts, strict=True):
            made += self._unpacked(one.value if isinstance(one, ast.Starred) else one, part)
        return made

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """X += v → x = hooks.binary(line, 'Add', x, v)."""
        operator = ast.Constant(type(node.op).__name__)
        target, value = copy.deepcopy(node.target), self.visit(node.value)
        if isinstance(target, ast.Name):
            current = ast.Name(target.id, ast.Load())
            made = ast.Assign([target], hook(node, "augmented", operator, current, value))
            made.value = self._named(made, made.value)
            return like(node, made)
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        changed = hook(node, "binary", operator, self.visit(read), value)
        return like(node, ast.Expr(self._store(target, changed)))

    def _store(self, target: ast.Subscript | ast.Attribute, value: ast.expr) -> ast.Call:
        if isinstance(target, ast.Subscript):
            return hook(target, "set_item", self.visit(target.value), self._key(target.slice), value)
        return hook(target, "set_attribute", self.visit(target.value), ast.Constant(target.attr), value)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """An `if` of a helper that only binds names: its branches as functions, whose names may become CASEs."""
        names = joined_names(node, self._own) if self._functions and not self._solving else None
        if names is None:
            return self.generic_visit(node)
        name = f"__if_{node.lineno}_{node.col_offset}"
        test = self.visit(node.test)
        then, other = branch_of(node.body, f"{name}_then", names), branch_of(node.orelse, f"{name}_else", names)
        self.generic_visit(then)
        self.generic_visit(other)
        return [like(node, one) for one in joined(node, test, then, other, names)]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """X if c else y of a helper → hooks.either(line, c, lambda: x, lambda: y), which may become a CASE."""
        if not self._functions or self._solving or _has(node, ast.NamedExpr, ast.Yield, ast.Await):
            return self.generic_visit(node)
        none = ast.arguments([], [], None, [], [], None, [])
        test, *ways = [self.visit(one) for one in (node.test, node.body, node.orelse)]
        return like(node, hook(node, "either", test, *(ast.Lambda(none, one) for one in ways)))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """X and y of a helper → hooks.both(line, 'And', lambda: x, lambda: y), which may become one condition."""
        if not self._functions or self._solving or _has(node, ast.NamedExpr, ast.Yield, ast.Await):
            return self.generic_visit(node)
        none = ast.arguments([], [], None, [], [], None, [])
        ways = [ast.Lambda(none, self.visit(one)) for one in node.values]
        return like(node, hook(node, "both", ast.Constant(type(node.op).__name__), *ways))

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.AST]:
        """Del x[k] → hooks.delete_item(line, x, k)."""
        made: list[ast.AST] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                call = hook(target, "delete_item", self.visit(target.value), self._key(target.slice))
                made.append(like(node, ast.Expr(call)))
            else:
                made.append(like(node, ast.Delete([self.visit(target)])))
        return made

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """Say that a failure has a meaning inside the body."""
        self.generic_visit(node)
        node.body = [like(node, ast.With([ast.withitem(hook(node, "trying"), None)], node.body))]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """[f(x) for x in y if c] → hooks.comprehension(line, y, lambda item: [f(x) for x in [item] if c])."""
        if _in_two(node):
            return like(node, hook(node, "flat", self.visit(_parted(node))))
        if len(node.generators) != 1 or node.generators[0].is_async or _has(node, ast.NamedExpr):
            return self.generic_visit(node)
        iterable, once = self._once(node)
        return like(node, hook(node, "comprehension", iterable, once))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """(f(x) for x in y) → hooks.generated(line, y, lambda item: [f(x) for x in [item]])."""
        if _in_two(node):
            return like(node, hook(node, "flat", self.visit(_parted(node)), ast.Constant(True)))
        if len(node.generators) != 1 or node.generators[0].is_async or _has(node, ast.NamedExpr):
            return self.generic_visit(node)
        iterable, once = self._once(like(node, ast.ListComp(node.elt, node.generators)))
        return like(node, hook(node, "generated", iterable, once))

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """{k: v for x in y} → hooks.pairs(line, dict, y, lambda item: [(k, v) for x in [item]])."""
        if len(node.generators) != 1 or node.generators[0].is_async or _has(node, ast.NamedExpr):
            return self.generic_visit(node)
        listed = like(node, ast.ListComp(ast.Tuple([node.key, node.value], ast.Load()), node.generators))
        iterable, once = self._once(listed)
        return like(node, hook(node, "pairs", ast.Name("dict", ast.Load()), iterable, once))

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """{f(x) for x in y} → hooks.pairs(line, set, y, lambda item: [f(x) for x in [item]])."""
        if len(node.generators) != 1 or node.generators[0].is_async or _has(node, ast.NamedExpr):
            return self.generic_visit(node)
        iterable, once = self._once(like(node, ast.ListComp(node.elt, node.generators)))
        return like(node, hook(node, "pairs", ast.Name("set", ast.Load()), iterable, once))

    def _once(self, node: ast.ListComp) -> tuple[ast.expr, ast.Lambda]:
        """Return what a comprehension goes over, and the function that makes its list for one element."""
        part = node.generators[0]
        iterable = self.visit(part.iter)
        part.iter = ast.List([ast.Name("__item", ast.Load())], ast.Load())
        node.elt, part.target, part.ifs = (
            self.visit(node.elt),
            self.visit(part.target),
            [self.visit(one) for one in part.ifs],
        )
        return iterable, ast.Lambda(ast.arguments([], [ast.arg("__item")], None, [], [], None, []), node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        """Run the loop, or its body once as a function of a piece where it goes over the pieces of a cell."""
        names = names_of(node, self._own) if self._functions else None
        if names is None:
            return self._rows(node)
        name = f"__pieces_{node.lineno}_{node.col_offset}"
        step = step_of(node, f"{name}_step", names)
        self.generic_visit(step)
        over = ast.Assign([ast.Name(name, ast.Store())], hook(node, "over", self.visit(node.iter)))
        otherwise: list[ast.stmt] = []
        for one in copy.deepcopy(node.orelse):
            found = self.visit(one)
            otherwise += found if isinstance(found, list) else [found]
        target, node.iter = node.target, ast.Name(name, ast.Load())
        plain = self._rows(node)
        symbolic = folded(node, name, step, names, [one for one in names if one not in stored(target)], otherwise)
        test = hook(node, "is_pieces", ast.Name(name, ast.Load()))
        return [like(node, over), like(node, ast.If(test, symbolic, plain if isinstance(plain, list) else [plain]))]

    def _rows(self, node: ast.For) -> ast.For | list[ast.stmt]:
        """Run the loop, then its body once more, as a function of one element, for what it does to rows."""
        if node.orelse or _has(node, ast.Return, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal) or _breaks(node):
            self.generic_visit(node)
            node.iter = hook(node, "iterated", node.iter)
            return node
        name = f"__loop_{node.lineno}_{node.col_offset}"
        once = copy.deepcopy(node)
        names = sorted(_carried(node))
        kept = ast.Tuple([ast.Name(one, ast.Load()) for one in names], ast.Load())
        _Continue(kept).enter(once)
        around = self._own, self._solving
        self._own, self._solving = stored(once), False
        self.generic_visit(once)
        self._own, self._solving = around
        self.generic_visit(node)
        begun = ast.Assign([ast.Name(name, ast.Store())], hook(node, "loop", node.iter, bound_names()))
        node.iter = ast.Attribute(ast.Name(name, ast.Load()), "iterable", ast.Load())
        given = ast.arguments([], [ast.arg("__item"), *map(ast.arg, names)], None, [], [], None, [])
        taken = ast.Assign([once.target], ast.Name("__item", ast.Load()))
        body = ast.FunctionDef(f"{name}_body", given, [taken, *once.body, ast.Return(kept)], [], None)
        told = [
            ast.Name(name, ast.Load()),
            ast.Name(f"{name}_body", ast.Load()),
            ast.Tuple([ast.Constant(one) for one in names], ast.Load()),
        ]
        done = ast.Expr(hook(node, "looped", *told))
        return [like(node, one) for one in (begun, node, body, done)]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Run the body in an activation of its own, and tell what names stand for after each statement."""
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        plain = self._plain(node)
        around = self._functions, self._solving, self._own
        self._functions, self._solving = self._functions + 1, node.name == "solve"
        self._own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        self._own |= {name for one in node.body for name in stored(one)}
        shared = [one for one in ast.walk(node) if isinstance(one, ast.Global | ast.Nonlocal)]
        self._own -= {name for one in shared for name in one.names}
        body = _told(self, node.body)
        self._functions, self._solving, self._own = around
        entered = ast.withitem(hook(node, "activation", ast.Constant(node.name), bound_names()), None)
        node.body = [*plain, like(node, ast.With([entered], body))]
        node.returns = None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            # the annotation of solve says what it is given
            argument.annotation = argument.annotation if node.name == "solve" else None
        return node

    def _plain(self, function: ast.FunctionDef) -> list[ast.stmt]:
        """Return the statement that runs the body as it is where nobody looks: pandas may call it for every row."""
        if _has(function, ast.Global, ast.Nonlocal):  # which can't be said twice
            return []
        body = [_Inner().visit(copy.deepcopy(one)) for one in function.body]
        return [like(function, ast.If(_unseen(), [*body, like(function, ast.Return(None))], []))]

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Lambda: x → lambda: x where nobody looks, else what hooks make of x."""
        plain = None if _has(node, ast.NamedExpr, ast.Yield, ast.YieldFrom) else copy.deepcopy(node.body)
        self.generic_visit(node)
        if plain is not None:
            node.body = like(node.body, ast.IfExp(_unseen(), plain, node.body))
        return node


class _Inner(ast.NodeTransformer):
    """Instruments only the functions defined inside."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Instrument a function."""
        return _Instrumenter().visit_FunctionDef(node)


def _unseen() -> ast.expr:
    return ast.Attribute(ast.Name(HOOKS, ast.Load()), "unseen", ast.Load())


def _in_two(node: ast.ListComp | ast.GeneratorExp) -> bool:
    """Return whether a comprehension goes over what is inside of what it goes over."""
    return len(node.generators) == 2 and not _has(node, ast.NamedExpr, ast.Await)


def _parted(node: ast.ListComp | ast.GeneratorExp) -> ast.ListComp:
    """Return a comprehension of two loops as a list of lists."""
    outer, inner = node.generators
    return like(node, ast.ListComp(like(node, ast.ListComp(node.elt, [inner])), [outer]))


def _has_place(target: ast.expr) -> bool:
    return any(isinstance(one, ast.Subscript | ast.Attribute) for one in ast.walk(target))


def _has(node: ast.AST, *kinds: type[ast.AST]) -> bool:
    return any(isinstance(one, kinds) for one in ast.walk(node))


def _breaks(loop: ast.For) -> bool:
    """Return whether a loop itself ends early, not one inside it."""
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Break):
            return True
        if not isinstance(one, ast.For | ast.While | ast.FunctionDef):
            waiting += ast.iter_child_nodes(one)
    return False


def _carried(loop: ast.For) -> set[str]:
    """Return the names that a loop's body both stores and reads: they may go from one row to the next."""
    stores = set().union(*map(stored, loop.body))
    reads = set().union(*map(read, loop.body))
    reads |= {
        one.target.id for one in ast.walk(loop) if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
    }
    return (stores & reads) - stored(loop.target)


class _Continue(ast.NodeTransformer):
    """Makes `continue` of a loop the end of a function that returns `kept`."""

    def __init__(self, kept: ast.expr) -> None:
        self.kept = kept

    def enter(self, loop: ast.For) -> None:
        """Change the body of a loop."""
        loop.body = [self.visit(one) for one in loop.body]

    def visit_For(self, node: ast.For) -> ast.AST:
        """Leave a loop inside alone."""
        return node

    visit_While = visit_FunctionDef = visit_For  # type: ignore[assignment]  # noqa: N815

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        """End the function."""
        return like(node, ast.Return(self.kept))


def _told(instrumenter: _Instrumenter, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a body, with what the names stand for told before and after each."""
    told: list[ast.stmt] = []
    for number, statement in enumerate(body):
        told.append(like(statement, ast.Expr(hook(statement, "begin", ast.Constant(number), bound_names()))))
        ended = like(statement, ast.Expr(hook(statement, "end", ast.Constant(number), bound_names())))
        if isinstance(statement, ast.Return):
            value = instrumenter.visit(statement.value) if statement.value else ast.Constant(None)
            told.append(like(statement, ast.Assign([ast.Name(RETURNED, ast.Store())], value)))
            told += [ended, like(statement, ast.Return(ast.Name(RETURNED, ast.Load())))]
            continue
        found = instrumenter.visit(statement)
        told += found if isinstance(found, list) else [found]
        if not isinstance(statement, ast.Raise):
            told.append(ended)
    return told
