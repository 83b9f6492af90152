"""How a network learns Skirmish: its form, its teachers and opponents, two trainers, and what is measured."""
