import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import classes from "./notify.module.css";

const shown = 6000;

let isThere = false;
const waiting: (() => void)[] = [];

/** The place of the notifications forgets what it was given before it was there, and it comes after the first screen. */
const whenThere = (show: () => void): void => {
  if (isThere) show();
  else waiting.push(show);
};

/** Shows what has been said before there was a place for it. The place itself calls it once it is there. */
export const showWaiting = (): void => {
  isThere = true;
  for (const show of waiting.splice(0)) show();
};

const say = (notification: Parameters<typeof notifications.show>[0] & { id: string }): void =>
  whenThere(() => {
    notifications.hide(notification.id);
    notifications.show({ autoClose: shown, closeButtonProps: { "aria-label": "Close" }, ...notification });
  });

/** Shows a warning at the top right: what the server refused or the user has left out. The same sentence shows once. */
export const warn = (sentence: string): void =>
  say({
    id: sentence,
    message: sentence,
    icon: <IconAlertTriangle size={18} aria-hidden />,
    classNames: { root: classes.warning, icon: classes.icon, description: classes.text },
    role: "alert",
  });

/** Says at the top right that something worked. */
export const inform = (sentence: string): void =>
  say({
    id: sentence,
    message: sentence,
    icon: <IconCheck size={18} aria-hidden />,
    classNames: { root: classes.notice, icon: classes.icon, description: classes.text },
    role: "status",
  });
