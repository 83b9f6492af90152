/** The texts of the app; those of other languages have the same keys, which a test checks. */

import type arena from "../texts/en/arena.json";
import type calendar from "../texts/en/calendar.json";
import type edit from "../texts/en/edit.json";
import type generic from "../texts/en/generic.json";
import type help from "../texts/en/help.json";
import type home from "../texts/en/home.json";
import type lab from "../texts/en/lab.json";
import type learn from "../texts/en/learn.json";
import type match from "../texts/en/match.json";
import type me from "../texts/en/me.json";
import type metrics from "../texts/en/metrics.json";
import type people from "../texts/en/people.json";
import type review from "../texts/en/review.json";
import type rounds from "../texts/en/rounds.json";
import type shell from "../texts/en/shell.json";

/** A text per key, or its plural forms by the number that `{count}` stands for. */
export type Texts = Record<string, string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)>;

/** By part of the app, the sections of its catalogue. */
export interface Catalogues {
  arena: typeof arena;
  calendar: typeof calendar;
  edit: typeof edit;
  generic: typeof generic;
  help: typeof help;
  home: typeof home;
  lab: typeof lab;
  learn: typeof learn;
  match: typeof match;
  me: typeof me;
  metrics: typeof metrics;
  people: typeof people;
  review: typeof review;
  rounds: typeof rounds;
  shell: typeof shell;
}

/** Returns a text in the language of the screen; `{name}` stands for a value. */
export type Say<T> = (key: keyof T, values?: Record<string, string | number>) => string;
