"""What is irregular in whole tables, where, and how often; as SQL over every row."""
