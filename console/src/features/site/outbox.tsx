import { Code } from "@telltale/contract/codes";
import { site } from "@telltale/contract/site";
import { useEffect } from "react";
import { useOutdate } from "../../session/outdate.ts";
import { ListEnd } from "../../table/list-end.tsx";
import { usePages } from "../../table/use-pages.ts";
import { Panel } from "../../ui/panel.tsx";
import classes from "./outbox.module.css";
import { OutboxMessage } from "./outbox-message.tsx";

/** How often new messages are looked for while somebody looks, milliseconds. */
const interval = 3_000;

/** Nobody signed in, so no live socket: the list asks by itself while it is on screen. */
const usePolling = () => {
  const outdate = useOutdate();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") outdate([site.outbox]);
    };
    const timer = setInterval(look, interval);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [outdate]);
};

/** What a demonstration would have sent, newest first. */
export const Outbox = () => {
  const pages = usePages(site.outbox, {});
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
