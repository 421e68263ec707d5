import type { ReactNode } from "react";
import classes from "./narrow-word.module.css";

/** A word that a phone needs in a cell, where no head of a column says what the value is. */
export const NarrowWord = ({ children }: { children: ReactNode }) => <span className={classes.word}>{children} </span>;
