/** One mergeable part of a record, as the form shows it: one field of the call, or several that belong together. */
export interface MergeGroup<Fields, Row> {
  label: string;
  keys: readonly (keyof Fields)[];
  /** The order of its lists matters, as in an arrangement. A selection is equal in any order. */
  isOrdered?: boolean;
  /** Its value as text. `row` is the record that it comes from; absent for values of the form. */
  text: (fields: Fields, row: Row | undefined) => string;
}

/** A value that another user has changed since the form opened. */
export interface Change {
  label: string;
  /** The value when the form opened. */
  before: string;
  /** The current value on the server. */
  theirs: string;
  /** The form's value, where it was changed here too and differently; undefined where the server's value is kept. */
  mine: string | undefined;
}

export type Choice = "mine" | "theirs";

interface Versions<Fields, Row> {
  groups: readonly MergeGroup<Fields, Row>[];
  fieldsOf: (row: Row) => Fields;
  /** The record when the form opened, and the current one. */
  opened: Row;
  newest: Row;
  /** The values in the form. */
  mine: Fields;
}

/** Null and undefined are equal. */
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

/** What other users have changed since the form opened, and where that conflicts with a change in the form. */
export const concurrentChanges = <Fields, Row>(versions: Versions<Fields, Row>): Change[] =>
  states(versions)
    .filter(({ isTheirs }) => isTheirs)
    .map(({ group, isConflict }) => {
      const { label, text } = group;
      const [opened, newest] = [versions.fieldsOf(versions.opened), versions.fieldsOf(versions.newest)];
      const inAnyOrder = { ...group, isOrdered: false };
      const theirs = text(newest, versions.newest);
      return {
        label,
        before: text(opened, versions.opened),
        theirs: textOf(opened, inAnyOrder) === textOf(newest, inAnyOrder) ? `${theirs}, in another order` : theirs,
        mine: isConflict ? text(versions.mine, undefined) : undefined,
      };
    });

/** The fields to save: the server's value where only others changed it, the user's choice where both did, otherwise the form's. */
export const merged = <Fields, Row>(
  versions: Versions<Fields, Row>,
  choices: Readonly<Record<string, Choice>>,
): Fields => {
  const theirs = versions.fieldsOf(versions.newest);
  const result = { ...versions.mine };
  for (const { group, isTheirs, isConflict } of states(versions)) {
    const usesTheirs = isConflict ? choices[group.label] === "theirs" : isTheirs;
    if (usesTheirs) for (const key of group.keys) result[key] = theirs[key];
  }
  return result;
};
