import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { landingOf } from "../../session/landing.ts";
import { useSession } from "../../session/session.ts";
import member from "./member-menu.module.css";
import { MemberSwitch } from "./member-switch.tsx";
import classes from "./menu.module.css";
import { useMemberMenu } from "./use-member-menu.ts";
import { useMenu } from "./use-menu.ts";

/** Where one goes on after the account screens: the page that fits the role. */
const useWayBack = () => {
  const landing = landingOf(useSession().user);
  const entry = useMenu().find(({ path }) => path === landing);
  return { path: landing, label: entry?.label ?? "Back" };
};

/** The member-info menu, in the place of the main menu: whose account it is, and its screens. (spec 1 §2) */
export const MemberMenu = () => {
  const { email } = useSession().user;
  const entries = useMemberMenu();
  const back = useWayBack();
  return (
    <>
      <nav className={`${classes.menu} ${member.menu}`} aria-label="Member info">
        <Link to={back.path} className={classes.entry}>
          <IconArrowLeft size={18} stroke={1.6} aria-hidden />
          <span>{back.label}</span>
        </Link>
        <p className={member.email} title={email}>
          <span>{email}</span>
        </p>
        {entries.map(({ path, label, icon: EntryIcon, isOpen }) => (
          <Link
            key={path}
            to={path}
            className={`${classes.entry} ${member.entry}`}
            aria-current={isOpen ? "page" : undefined}
          >
            <EntryIcon size={18} stroke={1.6} aria-hidden />
            <span>{label}</span>
          </Link>
        ))}
      </nav>
      <MemberSwitch entries={entries} />
    </>
  );
};
