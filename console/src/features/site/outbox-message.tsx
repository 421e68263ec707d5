import { MessageKind, type OutboxRow } from "@telltale/contract/site";
import { dateTime } from "../../format/time.ts";
import { linkedText } from "./linked-text.ts";
import classes from "./outbox-message.module.css";

/** One mail or SMS as its reader would have it; its links work. */
export const OutboxMessage = ({ kind, recipient, subject, text, links, createdTime }: OutboxRow) => (
  <article className={classes.message}>
    <div className={classes.head}>
      <span className={classes.kind}>{kind === MessageKind.sms ? "SMS" : "Mail"}</span>
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
