import { IconClipboardList } from "@tabler/icons-react";
import { useId } from "react";
import classes from "./what-to-do.module.css";

/** What the rule says to do, line by line as it was typed; nothing where it says nothing. */
export const WhatToDo = ({ response }: { response: string }) => {
  const id = useId();
  if (response === "") return null;
  return (
    <section className={classes.toDo} aria-labelledby={id}>
      <span className={classes.gutter}>
        <IconClipboardList size={18} aria-hidden />
      </span>
      <div>
        <h2 id={id}>What to do</h2>
        <p>{response}</p>
      </div>
    </section>
  );
};
