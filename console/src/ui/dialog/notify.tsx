import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import classes from "./notify.module.css";

type Said = Parameters<typeof notifications.show>[0] & { id: string };

let isThere = false;
const waiting = new Map<string, Said>();

/** A sentence that is on screen already is said anew: its time begins again, and so does the reading aloud. */
const show = (said: Said): void => {
  notifications.hide(said.id);
  notifications.show(said);
};

/** Shows what has been said before there was a place for it, which comes after the first screen. The place calls it once it is there. */
export const showWaiting = (): void => {
  isThere = true;
  for (const said of waiting.values()) show(said);
  waiting.clear();
};

const say = (said: Said): void => {
  if (isThere) show(said);
  else waiting.set(said.id, said);
};

/** Takes a sentence away that is true no more. */
export const withdraw = (sentence: string): void => {
  waiting.delete(sentence);
  notifications.hide(sentence);
};

/** Shows a warning among the messages: what the server refused or the user has left out. The same sentence shows once. */
export const warn = (sentence: string): void =>
  say({
    id: sentence,
    message: sentence,
    icon: <IconAlertTriangle size={18} aria-hidden />,
    classNames: { root: classes.warning, icon: classes.icon, description: classes.text },
    role: "alert",
  });

/** Says among the messages that something worked. */
export const inform = (sentence: string): void =>
  say({
    id: sentence,
    message: sentence,
    icon: <IconCheck size={18} aria-hidden />,
    classNames: { root: classes.notice, icon: classes.icon, description: classes.text },
    role: "status",
  });
