/** One thing of a record that people change, as the form shows it: one field of the call, or several that go together. */
export interface MergeGroup<Fields, Row> {
  label: string;
  keys: readonly (keyof Fields)[];
  /** The order of its lists counts, as of an arrangement. A choice is the same in any order. */
  isOrdered?: boolean;
  /** Its value in words. `row` is the record that holds it; absent for what is in the form. */
  words: (fields: Fields, row: Row | undefined) => string;
}

/** Something that others have changed since the form opened. */
export interface Change {
  label: string;
  /** What it was when the form opened. */
  before: string;
  /** What it is in force now. */
  theirs: string;
  /** What the form holds, where it was changed here too, to something else; undefined where theirs simply stays. */
  mine: string | undefined;
}

export type Choice = "mine" | "theirs";

interface Versions<Fields, Row> {
  groups: readonly MergeGroup<Fields, Row>[];
  fieldsOf: (row: Row) => Fields;
  /** The record when the form opened, and as it is now. */
  opened: Row;
  newest: Row;
  /** What the form holds. */
  mine: Fields;
}

/** Nothing and not given are the same. */
const textOf = <Fields, Row>(fields: Fields, { keys, isOrdered = false }: MergeGroup<Fields, Row>): string => {
  const comparable = (value: unknown) => (Array.isArray(value) && !isOrdered ? value.toSorted() : (value ?? null));
  return JSON.stringify(keys.map((key) => comparable(fields[key])));
};

const states = <Fields, Row>({ groups, fieldsOf, opened, newest, mine }: Versions<Fields, Row>) =>
  groups.map((group) => {
    const [before, theirs, own] = [fieldsOf(opened), fieldsOf(newest), mine].map((each) => textOf(each, group));
    const isTheirs = before !== theirs;
    return { group, isTheirs, isConflict: isTheirs && before !== own && theirs !== own };
  });

/** What others have changed since the form opened, and where that meets a change made here. */
export const changesMeanwhile = <Fields, Row>(versions: Versions<Fields, Row>): Change[] =>
  states(versions)
    .filter(({ isTheirs }) => isTheirs)
    .map(({ group, isConflict }) => {
      const { label, words } = group;
      const [opened, newest] = [versions.fieldsOf(versions.opened), versions.fieldsOf(versions.newest)];
      const inAnyOrder = { ...group, isOrdered: false };
      const theirs = words(newest, versions.newest);
      return {
        label,
        before: words(opened, versions.opened),
        theirs: textOf(opened, inAnyOrder) === textOf(newest, inAnyOrder) ? `${theirs}, in another order` : theirs,
        mine: isConflict ? words(versions.mine, undefined) : undefined,
      };
    });

/** What to save: theirs where only others have changed something, the choice where both have, else what the form holds. */
export const merged = <Fields, Row>(
  versions: Versions<Fields, Row>,
  choices: Readonly<Record<string, Choice>>,
): Fields => {
  const theirs = versions.fieldsOf(versions.newest);
  const result = { ...versions.mine };
  for (const { group, isTheirs, isConflict } of states(versions)) {
    const isTaken = isConflict ? choices[group.label] === "theirs" : isTheirs;
    if (isTaken) for (const key of group.keys) result[key] = theirs[key];
  }
  return result;
};
