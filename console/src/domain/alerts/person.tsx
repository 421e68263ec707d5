import { initialsOf } from "./initials.ts";
import classes from "./person.module.css";

/** A person: a square with the initials, and the name. */
export const Person = ({ name }: { name: string }) => (
  <span className={classes.person} title={name}>
    <span className={classes.square} aria-hidden="true">
      {initialsOf(name)}
    </span>
    <span className={classes.name}>{name}</span>
  </span>
);
