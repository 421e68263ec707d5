import { Fragment } from "react";
import classes from "./keycaps.module.css";

/** Keys to press in sequence, drawn as keycaps. */
export const Keycaps = ({ keys }: { keys: string }) => (
  <span className={classes.keys}>
    {keys.split(" ").map((key, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice, and its place is what tells it apart
      <Fragment key={at}>
        {at > 0 && " then "}
        <kbd className={classes.key}>{key.toUpperCase()}</kbd>
      </Fragment>
    ))}
  </span>
);
