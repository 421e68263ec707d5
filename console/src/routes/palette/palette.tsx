import { Modal } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { counted } from "@telltale/contract/text/counted";
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { useConfirmAll } from "../../features/alerts/use-confirm.tsx";
import { useTopmost } from "../../ui/dialog/use-topmost.ts";
import { useShownZone } from "../../ui/format/page-zone.tsx";
import { PageZone } from "../../ui/format/time.ts";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { useNavigate } from "../../ui/router/hooks.ts";
import type { Doing, Item } from "./items.tsx";
import { type Kind, partsOf, type Query } from "./matching.ts";
import classes from "./palette.module.css";
import { type Section, useItems } from "./use-items.ts";

const DownloadDialog = lazyWithRetry(() => import("../../features/downloads/download-dialog.tsx"), "DownloadDialog");

const headings: Record<Kind, string> = {
  channels: "CHANNELS",
  devices: "DEVICES",
  alerts: "ALERTS",
  actions: "ACTIONS",
  pages: "PAGES",
};

const Marked = ({ text, query }: { text: string; query: Query }) =>
  partsOf(text, query).map(({ text: part, isMatch }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part may come twice, and its place is what tells it apart
    isMatch ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  );

interface LineProps {
  item: Item;
  id: string;
  query: Query;
  isChosen: boolean;
  onChoose: () => void;
  onRun: () => void;
}

const Line = ({ item, id, query, isChosen, onChoose, onRun }: LineProps) => {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above has the focus and the keys
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.line}
      onPointerMove={onChoose}
      onClick={onRun}
    >
      {item.icon}
      <p>
        <Marked text={item.name} query={query} />
        {item.note && <small>{item.note}</small>}
      </p>
      <span className={classes.right}>{item.end}</span>
    </div>
  );
};

const Key = ({ children }: { children: ReactNode }) => <kbd className={classes.key}>{children}</kbd>;

const Foot = () => (
  <div className={classes.foot} aria-hidden="true">
    <span>
      <Key>↑</Key>
      <Key>↓</Key> choose
    </span>
    <span>
      <Key>↵</Key> open
    </span>
    <span>
      <Key>Ctrl</Key>
      <Key>↵</Key> trend
    </span>
    <span>
      <Key>Tab</Key> next kind
    </span>
    <span className={classes.only}>
      <Key>&gt;</Key> actions only
    </span>
    <span>
      <Key>!</Key> alerts only
    </span>
  </div>
);

/** The place of the first line of the next kind, or of the one before; around from the last to the first. */
const nextKind = (sections: readonly Section[], chosen: number, by: 1 | -1): number => {
  const starts: number[] = [];
  let start = 0;
  for (const { items } of sections) {
    starts.push(start);
    start += items.length;
  }
  const own = starts.findLastIndex((at) => at <= chosen);
  return starts[(own + by + starts.length) % starts.length] ?? 0;
};

interface SearchProps {
  doing: Doing;
  onClose: () => void;
}

/** The field with what it finds. The focus stays in the field; the chosen line is its active descendant. */
const Search = ({ doing, onClose }: SearchProps) => {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const { query, sections, isSearching, error } = useItems(typed, doing);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  // Also where it is opened again while it fades out.
  useEffect(() => field.current?.focus(), []);
  const items = sections.flatMap((section) => section.items);
  const at = Math.min(chosen, items.length - 1);
  const idOf = (place: number) => `${list}-${place}`;
  const run = (act: (() => void) | undefined) => {
    if (!act) return;
    onClose();
    act();
  };
  /** The place that a key leads to; undefined of other keys. */
  const placeBy = (key: string, isBack: boolean): number | undefined => {
    if (key === "Tab") return nextKind(sections, at, isBack ? -1 : 1);
    if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
    return (at + (key === "ArrowDown" ? 1 : -1) + items.length) % items.length;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    if (event.nativeEvent.isComposing) return;
    const item = items[at];
    const next = placeBy(key, shiftKey);
    if (key !== "Enter" && next === undefined) return;
    event.preventDefault();
    if (key === "Enter") run(ctrlKey || metaKey ? item?.alsoRun : item?.run);
    else if (next !== undefined && items.length > 0) setChosen(next);
  };
  const type = (text: string) => {
    setTyped(text);
    setChosen(0);
  };
  let place = -1;
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={20} stroke={1.7} aria-hidden />
        <input
          ref={field}
          data-autofocus
          role="combobox"
          aria-label="Find"
          aria-expanded="true"
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? idOf(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Channels, devices, alerts, pages, actions"
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <span className={classes.count} role="status">
          {isSearching ? "Searching" : counted(items.length, "result")}
        </span>
        <Key>Esc</Key>
      </div>
      <div id={list} role="listbox" aria-label="Results" className={classes.list} aria-busy={isSearching}>
        {sections.map(({ kind, items: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
          <div key={kind} role="group" aria-labelledby={`${list}-${kind}`}>
            <div id={`${list}-${kind}`} className={classes.heading}>
              {headings[kind]}
            </div>
            {own.map((item) => {
              place += 1;
              const own = place;
              return (
                <Line
                  key={item.key}
                  {...{ item, query }}
                  id={idOf(own)}
                  isChosen={own === at}
                  onChoose={() => setChosen(own)}
                  onRun={() => run(item.run)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {error && (
        <p className={classes.note} role="alert">
          {error.message}
        </p>
      )}
      {!error && !isSearching && items.length === 0 && (
        <p className={classes.note}>Nothing has this name. Devices are also found by their ID.</p>
      )}
      <Foot />
    </>
  );
};

interface PaletteProps {
  isOpen: boolean;
  /** Another number each time: every opening starts anew. */
  opening: number;
  onClose: () => void;
  /** It has faded out. */
  onClosed: () => void;
}

/** Ctrl K: finds channels, devices, alerts, actions and pages by their names, and opens them, by keyboard alone. */
export const Palette = ({ isOpen, opening, onClose, onClosed }: PaletteProps) => {
  const navigate = useNavigate();
  const confirmAll = useConfirmAll();
  const [isDownloading, setDownloading] = useState(false);
  const doing: Doing = { navigate, confirmAll: confirmAll.ask, download: () => setDownloading(true) };
  return (
    <PageZone value={useShownZone()}>
      <Modal.Root
        opened={isOpen}
        onClose={onClose}
        onExitTransitionEnd={onClosed}
        closeOnEscape={useTopmost(isOpen, onClose)}
        returnFocus={false}
        size={680}
        radius="md"
        zIndex={200}
        transitionProps={{ transition: "fade", duration: 100 }}
      >
        <Modal.Overlay className={classes.overlay} />
        <Modal.Content data-palette aria-label="Find" classNames={{ inner: classes.inner, content: classes.palette }}>
          <Search key={opening} doing={doing} onClose={onClose} />
        </Modal.Content>
      </Modal.Root>
      {confirmAll.dialog}
      <Suspense>{isDownloading && <DownloadDialog isOpen onClose={() => setDownloading(false)} />}</Suspense>
    </PageZone>
  );
};
