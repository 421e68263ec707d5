import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import { toggleColorScheme } from "../../../ui/theme/color-scheme.ts";
import classes from "./keyboard.module.css";
import { createMatcher } from "./matcher.ts";
import { ShortcutTable } from "./shortcut-table.tsx";
import { type Shortcut, useShortcuts } from "./use-shortcuts.ts";

interface ShortcutHelpProps {
  isOpen: boolean;
  onClose: () => void;
  standard: readonly Shortcut[];
  own: readonly Shortcut[];
}

const isPage = ({ target }: Shortcut): boolean => target.startsWith("/");

/** The list that `?` opens: what the keys do here. */
export const ShortcutHelp = ({ isOpen, onClose, standard, own }: ShortcutHelpProps): ReactNode => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
    <div className={classes.dialog}>
      <h3 className={classes.heading}>On this page</h3>
      <ShortcutTable label="On this page" shortcuts={standard.filter((each) => !isPage(each))} />
      <h3 className={classes.heading}>Pages</h3>
      <ShortcutTable label="Pages" shortcuts={standard.filter(isPage)} />
      {own.length > 0 && (
        <>
          <h3 className={classes.heading}>Your own</h3>
          <ShortcutTable label="Your own" shortcuts={own} />
        </>
      )}
      <p className={classes.note}>
        <Link to="/keyboard" onClick={onClose}>
          Change or switch off keyboard shortcuts
        </Link>
      </p>
    </div>
  </Dialog>
);

/** Inputs that take text; a checkbox does not. */
const typing =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"], [role="searchbox"], [role="listbox"], [role="menu"], input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"])';

/** Whether the key belongs to a field, a menu or the browser. A character typed with AltGr is still a character. */
const isElsewhere = (event: KeyboardEvent): boolean => {
  const hasModifier = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph");
  if (event.defaultPrevented || event.isComposing || event.repeat || hasModifier) return true;
  return event.target instanceof Element && event.target.closest(typing) !== null;
};

const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

const isShown = (element: HTMLElement): boolean => element.getClientRects().length > 0 && !element.matches(":disabled");

/** The target element of an action: the first visible one. Screens mark theirs with `data-shortcut`. */
const marked = (action: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(`[data-shortcut="${action}"]`)].find(isShown);

const focusFilter = (): void => {
  const field = document.querySelector<HTMLElement>('main input[name$="Search"], main input[type="search"]');
  const target = field && isShown(field) ? field : marked("filter");
  target?.focus();
  if (target !== field) target?.click();
};

const useActions = (showHelp: () => void): ((target: string) => void) => {
  const navigate = useNavigate();
  return (target) => {
    if (target.startsWith("/")) void navigate({ to: target });
    else if (target === "help") showHelp();
    else if (target === "theme") toggleColorScheme();
    else if (target === "filter") focusFilter();
    else marked(target)?.click();
  };
};

/** Listens for the signed-in user's shortcuts, on every page. */
export const ShortcutKeys = (): ReactNode => {
  const { standard, own, isOn } = useShortcuts();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [matcher] = useState(() => createMatcher<Shortcut>());
  const act = useActions(() => setHelpOpen(true));
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isElsewhere(event)) return;
    // The bar is above dialogs, and so is the sound.
    const active = [...standard, ...own].filter(({ target }) => target === "silence" || !isDialogOpen());
    const { found } = matcher.press(event.key, event.timeStamp, active);
    if (!found) return;
    event.preventDefault();
    act(found.target);
  });
  useEffect(() => {
    if (!isOn) return;
    const gone = new AbortController();
    window.addEventListener("keydown", (event) => onKeyDown(event), { signal: gone.signal });
    return () => gone.abort();
  }, [isOn]);
  return <ShortcutHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} standard={standard} own={own} />;
};
