import { IconChevronDown } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useSession } from "../../session/session.ts";
import { lazyPart } from "../../ui/load-part.ts";
import classes from "./member-switch.module.css";
import type { MenuEntry } from "./use-menu.ts";

const MemberSheet = lazyPart(() => import("./member-sheet.tsx"), "MemberSheet");

/** A phone's way from one account screen to another: whose account it is; opens the member-info menu. */
export const MemberSwitch = ({ entries }: { entries: readonly MenuEntry[] }) => {
  const { email } = useSession().user;
  const [sheet, setSheet] = useState<"unused" | "open" | "closed">("unused");
  return (
    <>
      <button
        type="button"
        className={classes.switch}
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
