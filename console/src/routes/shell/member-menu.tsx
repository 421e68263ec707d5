import {
  type Icon,
  IconAddressBook,
  IconArrowLeft,
  IconBuilding,
  IconBuildingFactory2,
  IconChevronDown,
  IconDeviceMobile,
  IconDevices,
  IconKey,
  IconLock,
  IconMoon,
  IconPhoto,
  IconShieldLock,
  IconTag,
  IconUser,
} from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { startPageOf } from "../../session/landing.ts";
import { useSession } from "../../session/session.ts";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { Link } from "../../ui/router/link.tsx";
import { memberPages } from "../account.ts";
import { useOpenPage } from "./document-title.tsx";
import member from "./member-menu.module.css";
import classes from "./menu.module.css";
import { type MenuEntry, useMenu } from "./use-menu.ts";

/** By page path; loaded with the menu, not with the first screen. */
const icons: Readonly<Record<string, Icon>> = {
  "/profilePhoto": IconPhoto,
  "/company": IconBuilding,
  "/industry": IconBuildingFactory2,
  "/name": IconUser,
  "/alias": IconTag,
  "/cellNumber": IconDeviceMobile,
  "/quietHours": IconMoon,
  "/changePassword": IconLock,
  "/secondFactor": IconShieldLock,
  "/signIns": IconDevices,
  "/apiKeys": IconKey,
  "/associatedAccount": IconAddressBook,
};

/** The member-info menu: all account screens, whatever the role. */
const useMemberMenu = (): readonly MenuEntry[] => {
  const open = useOpenPage();
  return memberPages.map(({ path, title }) => ({
    path,
    label: title,
    icon: icons[path] ?? IconUser,
    isTab: false,
    isOpen: path === open?.path,
  }));
};

const MemberSheet = lazyWithRetry(() => import("./member-sheet.tsx"), "MemberSheet");

/** Navigation between account screens on a phone: shows the user; opens the member-info menu. */
export const MemberSwitch = ({ entries }: { entries: readonly MenuEntry[] }) => {
  const { email } = useSession().user;
  const [sheet, setSheet] = useState<"unused" | "open" | "closed">("unused");
  return (
    <>
      <button
        type="button"
        className={member.switch}
        aria-haspopup="dialog"
        aria-expanded={sheet === "open"}
        onClick={() => setSheet("open")}
      >
        <span>
          <b>Member info</b>
          <small>{email}</small>
        </span>
        <IconChevronDown size={18} stroke={1.6} aria-hidden />
      </button>
      {sheet !== "unused" && (
        <Suspense>
          <MemberSheet isOpen={sheet === "open"} onClose={() => setSheet("closed")} entries={entries} />
        </Suspense>
      )}
    </>
  );
};

/** Where the back link of the account screens leads: the start page of the role. */
const useBackLink = () => {
  const landing = startPageOf(useSession().user);
  const entry = useMenu().find(({ path }) => path === landing);
  return { path: landing, label: entry?.label ?? "Back" };
};

/** The member-info menu, replacing the main menu: the user and the account screens. (spec 1 §2) */
export const MemberMenu = () => {
  const { email } = useSession().user;
  const entries = useMemberMenu();
  const back = useBackLink();
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
