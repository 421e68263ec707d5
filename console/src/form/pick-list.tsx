import { Checkbox, Radio } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Fragment, type ReactNode, useId, useState } from "react";
import classes from "./pick-list.module.css";
import { TextField } from "./text-field.tsx";

/** Maximum results of one search; a more specific search finds the others. */
export const offered = 100;

/** Debounce of the search, in milliseconds. */
const pause = 250;

/** The text of a search field, and the debounced search term: undefined for everything. */
export const useSearch = () => {
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), pause);
  return { typed, setTyped, name: name === "" ? undefined : name };
};

interface PickListProps<T> {
  legend: ReactNode;
  /** The field of the call that holds the choice; focused when it is invalid. */
  field: string;
  search: ReturnType<typeof useSearch>;
  /** Placeholder that says what can be searched for. */
  placeholder: string;
  /** The search result; undefined during the first search. */
  found: { rows: readonly T[]; total: number } | undefined;
  /** Single or multiple choice. */
  kind: "one" | "many";
  /** The heading of a row's group, with a key that distinguishes groups of the same name. */
  groupOf: (row: T) => { key: string | number; name: string };
  row: { keyOf: (row: T) => string; label: (row: T) => ReactNode };
  isChosen: (row: T) => boolean;
  onToggle: (row: T) => void;
  /** Shown when nothing is found. */
  none: string;
  error: string | undefined;
}

interface ChoiceProps<T> {
  props: PickListProps<T>;
  of: T;
  /** Id of the group's heading: rows of two groups may have the same name. */
  heading: string;
}

const Choice = <T,>({ props, of, heading }: ChoiceProps<T>) => {
  const Input = props.kind === "one" ? Radio : Checkbox;
  return (
    <Input
      checked={props.isChosen(of)}
      onChange={() => props.onToggle(of)}
      label={props.row.label(of)}
      aria-describedby={heading}
      className={classes.choice}
    />
  );
};

/** A searchable list to choose from, in groups. */
export const PickList = <T,>(props: PickListProps<T>): ReactNode => {
  const { legend, field, search, placeholder, found, groupOf, row, none, error } = props;
  const id = useId();
  const groups = Map.groupBy(found?.rows ?? [], (each) => groupOf(each).key);
  const unseen = (found?.total ?? 0) - (found?.rows.length ?? 0);
  return (
    <fieldset className={classes.picker} data-kind={props.kind}>
      <legend className={classes.legend}>{legend}</legend>
      <TextField
        className={classes.search}
        aria-label={placeholder}
        placeholder={placeholder}
        data-field={field}
        name={`${field}Search`}
        autoComplete="off"
        value={search.typed}
        onChange={(event) => search.setTyped(event.currentTarget.value)}
        error={error}
      />
      <ul className={`${classes.list} ${classes.found}`} aria-busy={found === undefined}>
        {[...groups].map(([key, rows]) => (
          <Fragment key={key}>
            <li id={`${id}${key}`} className={classes.device}>
              {rows.slice(0, 1).map((first) => groupOf(first).name)}
            </li>
            {rows.map((each) => (
              <li key={row.keyOf(each)}>
                <Choice props={props} of={each} heading={`${id}${key}`} />
              </li>
            ))}
          </Fragment>
        ))}
        {unseen > 0 && <li className={classes.note}>{unseen} more: search for them by name</li>}
        {found?.total === 0 && <li className={classes.note}>{none}</li>}
      </ul>
    </fieldset>
  );
};
