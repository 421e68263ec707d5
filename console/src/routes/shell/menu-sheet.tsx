import { SegmentedControl } from "@mantine/core";
import { type ColorScheme, setColorScheme, useColorScheme } from "../../ui/theme/color-scheme.ts";
import { LiveIndicator } from "./live-indicator.tsx";
import classes from "./sheet.module.css";
import { Sheet, SheetLinks } from "./sheet.tsx";
import type { MenuEntry } from "./use-menu.ts";

const themes: { value: ColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "As the system" },
];

const ThemeRow = () => {
  const colorScheme = useColorScheme();
  return (
    <div className={classes.row}>
      <span id="theme-label">Theme</span>
      <SegmentedControl aria-labelledby="theme-label" data={themes} value={colorScheme} onChange={setColorScheme} />
    </div>
  );
};

interface MenuSheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** The pages without a tab. */
  entries: readonly MenuEntry[];
}

/** What does not fit into a phone's bar: the other pages, live state, theme. */
export const MenuSheet = ({ isOpen, onClose, entries }: MenuSheetProps) => (
  <Sheet isOpen={isOpen} onClose={onClose} title="Menu">
    <SheetLinks entries={entries} onClose={onClose} />
    <div className={classes.row}>
      <span>Connection</span>
      <LiveIndicator inSheet />
    </div>
    <ThemeRow />
  </Sheet>
);
