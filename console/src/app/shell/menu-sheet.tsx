import { Drawer, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { LiveIndicator } from "./live-indicator.tsx";
import classes from "./menu-sheet.module.css";
import type { MenuEntry } from "./use-menu.ts";

interface MenuSheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** The pages that have no tab. */
  entries: readonly MenuEntry[];
}

/** What a phone's bar has no room for: the other pages, live state, theme. */
export const MenuSheet = ({ isOpen, onClose, entries }: MenuSheetProps) => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title="Menu"
      position="bottom"
      size="auto"
      zIndex={200}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{
        overlay: classes.overlay,
        content: classes.sheet,
        header: classes.header,
        title: classes.title,
        body: classes.body,
      }}
    >
      {entries.map(({ path, label, icon: EntryIcon, isOpen: isCurrent }) => (
        <Link
          key={path}
          to={path}
          className={classes.entry}
          aria-current={isCurrent ? "page" : undefined}
          onClick={onClose}
        >
          <EntryIcon size={20} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
      <div className={classes.row}>
        <span>Connection</span>
        <LiveIndicator inSheet />
      </div>
      <div className={classes.row}>
        <span id="theme-label">Theme</span>
        <SegmentedControl
          aria-labelledby="theme-label"
          data={[
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
            { value: "auto", label: "As the system" },
          ]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        />
      </div>
    </Drawer>
  );
};
