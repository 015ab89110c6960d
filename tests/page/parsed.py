"""A page taken apart."""

from html.parser import HTMLParser

VOID = {"meta", "input", "link", "br"}


class Page(HTMLParser):
    """What a page consists of; fails where its tags don't close in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.inside, self.open, self.text = [], [], [], {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.open:
            self.text[self.open[-1]] = self.text.get(self.open[-1], "") + data

    def all(self, name):
        return [given[name] for _, given in self.tags if name in given]
