import { Code } from "@telltale/contract/call/codes";
import { type OutboxRow, outbox } from "@telltale/contract/domains/support";
import { messageKindLabels } from "@telltale/contract/notification-channels";
import { useEffect } from "react";
import { useInvalidate } from "../session/invalidate.ts";
import { ListEnd } from "../table/list-end.tsx";
import { usePages } from "../table/use-pages.ts";
import { dateTime } from "../ui/format/time.ts";
import { PageTitle } from "../ui/page/page-title.tsx";
import { Panel } from "../ui/page/panel.tsx";
import { documentTitle } from "../ui/title.ts";
import classes from "./outbox-screen.module.css";
import { PublicBar } from "./public-bar.tsx";

/** A piece of a message: plain text, or a link. */
export interface Piece {
  text: string;
  address?: string;
}

/** Only web addresses become links; anything else stays plain text. */
const isWeb = (link: string): boolean => /^https?:\/\//i.test(link);

/** Splits a message at its links, which occur in the text in this order. A link that does not occur is appended. */
export const linkedText = (text: string, links: readonly string[]): Piece[] => {
  const pieces: Piece[] = [];
  let rest = text;
  for (const link of links.filter(isWeb)) {
    const at = rest.indexOf(link);
    if (at > 0) pieces.push({ text: rest.slice(0, at) });
    if (at < 0 && rest !== "") pieces.push({ text: `${rest}\n` });
    pieces.push({ text: link, address: link });
    rest = at < 0 ? "" : rest.slice(at + link.length);
  }
  if (rest !== "") pieces.push({ text: rest });
  return pieces;
};

/** One mail or SMS as its recipient would see it; its links work. */
export const OutboxMessage = ({ kind, recipient, subject, text, links, createdTime }: OutboxRow) => (
  <article className={classes.message}>
    <div className={classes.head}>
      <span className={classes.kind}>{messageKindLabels[kind]}</span>
      <time dateTime={createdTime.toISOString()}>{dateTime(createdTime)}</time>
    </div>
    <p className={classes.recipient}>to {recipient}</p>
    {subject && <h2>{subject}</h2>}
    <p className={classes.text}>
      {linkedText(text, links).map((piece, index) =>
        piece.address ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a message never change
          <a key={index} href={piece.address}>
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  </article>
);

/** Polling interval while the page is visible, milliseconds. */
const interval = 3_000;

/** Without a session there is no live socket, so the list polls while it is visible. */
const usePolling = () => {
  const invalidate = useInvalidate();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") invalidate([outbox.list]);
    };
    const timer = setInterval(look, interval);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [invalidate]);
};

/** The messages that a demonstration held back, newest first. */
export const Outbox = () => {
  const pages = usePages(outbox.list, {});
  usePolling();
  if (pages.error?.code === Code.notFound)
    return (
      <Panel className={classes.note}>
        <p>There is no page at this address: this server sends its mails instead of showing them.</p>
      </Panel>
    );
  return (
    <Panel>
      {pages.isPending && (
        <p className={classes.note} role="status">
          Loading
        </p>
      )}
      {pages.rows?.map((row) => (
        <OutboxMessage key={row.messageId} {...row} />
      ))}
      <ListEnd pages={pages} empty="Nothing has been sent yet" />
    </Panel>
  );
};

/** /outbox: the mails and SMS of a demonstration, which are shown instead of sent. (decisions §6) */
export const OutboxScreen = () => {
  useEffect(() => {
    document.title = documentTitle("Outbox");
  }, []);
  return (
    <div className={classes.page}>
      <PublicBar />
      <main className={classes.list}>
        <PageTitle>Outbox</PageTitle>
        <p>A demonstration sends nothing. The mails and SMS it would have sent are shown here for everyone to read.</p>
        <Outbox />
      </main>
    </div>
  );
};
