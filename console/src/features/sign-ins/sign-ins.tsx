import { useSession } from "../../session/session.ts";
import { SessionList } from "./session-list.tsx";
import classes from "./sign-ins.module.css";
import { SupportViews } from "./support-views.tsx";

/** /signIns: where one is signed in and, for those who answer for the plant, when support has looked at it. */
export const SignIns = () => (
  <div className={classes.screen}>
    <SessionList />
    {useSession().can("audit.read") && <SupportViews />}
  </div>
);
