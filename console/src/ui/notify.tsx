import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import classes from "./notify.module.css";

const shown = 6000;

/** Shows a warning at the top right: what the server refused or the user has left out. The same sentence shows once. */
export const warn = (sentence: string): void => {
  notifications.hide(sentence);
  notifications.show({
    id: sentence,
    message: sentence,
    autoClose: shown,
    icon: <IconAlertTriangle size={18} aria-hidden />,
    classNames: { root: classes.warning, icon: classes.icon, description: classes.text },
    role: "alert",
    closeButtonProps: { "aria-label": "Close" },
  });
};

/** Says at the top right that something worked. */
export const inform = (sentence: string): void => {
  notifications.hide(sentence);
  notifications.show({
    id: sentence,
    message: sentence,
    autoClose: shown,
    icon: <IconCheck size={18} aria-hidden />,
    classNames: { root: classes.notice, icon: classes.icon, description: classes.text },
    role: "status",
    closeButtonProps: { "aria-label": "Close" },
  });
};
