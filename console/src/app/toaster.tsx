import { Notifications } from "@mantine/notifications";
import classes from "./toaster.module.css";

/** Where notifications appear: top right, under the bar. */
export const Toaster = () => (
  <Notifications position="top-right" limit={4} zIndex={400} classNames={{ root: classes.root }} />
);
