import type { ReactNode } from "react";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import classes from "./profile-page.module.css";

/** An account screen: its title and a panel of a form's width. */
export const ProfilePage = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <PageTitle>{title}</PageTitle>
    <Panel className={classes.panel}>{children}</Panel>
  </>
);
