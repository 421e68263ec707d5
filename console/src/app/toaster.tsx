import { Notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { showWaiting } from "../ui/notify.tsx";
import classes from "./toaster.module.css";

/** Where notifications appear: top right, under the bar. */
export const Toaster = () => {
  useEffect(showWaiting, []);
  return <Notifications position="top-right" limit={4} zIndex={400} classNames={{ root: classes.root }} />;
};
