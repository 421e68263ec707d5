import { IconBook2, IconExternalLink, IconFileTypePdf } from "@tabler/icons-react";
import { type SupportItem, SupportType } from "@telltale/contract/domains/support";
import { type ReactNode, useEffect, useRef } from "react";
import { EmptyState } from "../../ui/page/message.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { text, useSearchOf } from "../../ui/page/search.ts";
import { Link } from "../../ui/router/link.tsx";
import { elementOf } from "../../ui/router/scroll.ts";
import classes from "./documentation.module.css";
import { GuideHtml } from "./guide-html.tsx";
import { SupportItems } from "./support-items.tsx";

const isTutorial = ({ content }: SupportItem): boolean => content !== "";

/** The tutorial's name in its own address. */
const nameOf = ({ url }: SupportItem): string => new URL(url, location.origin).searchParams.get("tutorial") ?? "";

const Manuals = ({ manuals }: { manuals: SupportItem[] }): ReactNode => (
  <Panel title="Operating manuals">
    {manuals.length === 0 && <EmptyState>There are no manuals yet</EmptyState>}
    <ul className={classes.list}>
      {manuals.map(({ title, url }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener">
            <IconFileTypePdf size={18} aria-hidden />
            <span>{title}</span>
            <small>PDF</small>
            <IconExternalLink size={15} aria-label="opens in a new tab" />
          </a>
        </li>
      ))}
    </ul>
  </Panel>
);

const Tutorials = ({ tutorials, open }: { tutorials: SupportItem[]; open: string | undefined }): ReactNode => (
  <Panel title="Tutorials">
    {tutorials.length === 0 && <EmptyState>There are no tutorials yet</EmptyState>}
    <ul className={classes.list}>
      {tutorials.map((tutorial) => (
        <li key={tutorial.url}>
          <Link
            to="/support"
            search={{ tab: "documentation", tutorial: nameOf(tutorial) }}
            aria-current={nameOf(tutorial) === open ? "page" : undefined}
          >
            <IconBook2 size={18} aria-hidden />
            <span>{tutorial.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  </Panel>
);

const Tutorial = ({ tutorial }: { tutorial: SupportItem }): ReactNode => {
  const heading = useRef<HTMLHeadingElement>(null);
  // Scrolls to the section that the address names once the text is loaded, otherwise to the head, which on a phone is below the lists.
  useEffect(() => {
    const part = elementOf(location.hash);
    const head = heading.current;
    const isFarDown = (head?.getBoundingClientRect().top ?? 0) > window.innerHeight / 2;
    if (part) part.scrollIntoView();
    else head?.scrollIntoView({ block: isFarDown ? "start" : "nearest" });
    if (!part) head?.focus({ preventScroll: true });
  }, []);
  return (
    <Panel className={classes.tutorial ?? ""}>
      <h2 ref={heading} tabIndex={-1}>
        {tutorial.title}
      </h2>
      <GuideHtml html={tutorial.content} />
    </Panel>
  );
};

/** Address parameters of the documentation. */
const documentationSearch = { tutorial: text };

/** Manuals to open and tutorials to read; the address may select a tutorial. (spec 2 §2) */
export const Documentation = (): ReactNode => {
  const { tutorial: open } = useSearchOf(documentationSearch);
  return (
    <SupportItems type={SupportType.documentation}>
      {(items) => {
        const tutorials = items.filter(isTutorial);
        const shown = tutorials.find((tutorial) => nameOf(tutorial) === open);
        return (
          <div className={classes.documentation}>
            <div className={classes.lists}>
              <Manuals manuals={items.filter((item) => !isTutorial(item))} />
              <Tutorials tutorials={tutorials} open={open} />
            </div>
            {shown && <Tutorial key={shown.url} tutorial={shown} />}
          </div>
        );
      }}
    </SupportItems>
  );
};
