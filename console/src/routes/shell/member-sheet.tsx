import { useSession } from "../../session/session.ts";
import classes from "./sheet.module.css";
import { Sheet, SheetLinks } from "./sheet.tsx";
import type { MenuEntry } from "./use-menu.ts";

interface MemberSheetProps {
  isOpen: boolean;
  onClose: () => void;
  entries: readonly MenuEntry[];
}

/** The member-info menu of a phone. */
export const MemberSheet = ({ isOpen, onClose, entries }: MemberSheetProps) => (
  <Sheet isOpen={isOpen} onClose={onClose} title="Member info">
    <p className={classes.note}>{useSession().user.email}</p>
    <SheetLinks entries={entries} onClose={onClose} />
  </Sheet>
);
