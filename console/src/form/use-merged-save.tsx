import { Radio } from "@mantine/core";
import { Code, Message } from "@telltale/contract/call/codes";
import { type ReactNode, useState } from "react";
import { useInvalidate } from "../session/invalidate.ts";
import { showFailure } from "../session/query.ts";
import type { AnyCall } from "../session/use-call.ts";
import { Button } from "../ui/control/button.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { warn, withdraw } from "../ui/dialog/messages.ts";
import { dateTime } from "../ui/format/time.ts";
import { type Change, type Choice, concurrentChanges, type MergeGroup, merged } from "./merge.ts";
import classes from "./merged-save.module.css";

/** A record with the version that a save has to name. */
interface Versioned {
  version: number;
  modifiedTime?: Date;
}

interface MergedSave<Fields, Row extends Versioned> {
  /** The record when the form opened; undefined for a new one. */
  opened: Row | undefined;
  /** The record as a save would send it. */
  fieldsOf: (row: Row) => Fields;
  groups: readonly MergeGroup<Fields, Row>[];
  /** Reads the current record; undefined when it has been deleted. */
  read: () => Promise<Row | undefined>;
  /** Lists that are stale when other users have changed something. */
  invalidates: readonly AnyCall[];
  /** Saves on top of this version; `onError` is passed on to the call. */
  send: (fields: Fields, version: number | undefined, onError: (error: { code: number }) => void) => void;
  isBusy: boolean;
  /** The record has been deleted. */
  onGone?: () => void;
}

interface ReviewProps {
  changes: readonly Change[];
  changedTime: Date | undefined;
  isOpen: boolean;
  isBusy: boolean;
  onClose: () => void;
  onSave: (choices: Readonly<Record<string, Choice>>) => void;
}

const textOf = (words: string): string => (words.trim() === "" ? "--" : words);

interface ConflictProps {
  change: Change & { mine: string };
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

const Conflict = ({ change: { label, theirs, mine }, choice, onChoose }: ConflictProps) => (
  <Radio.Group
    aria-label={`${label}: theirs or yours`}
    value={choice ?? null}
    onChange={(value) => onChoose(value as Choice)}
    className={classes.choices}
  >
    <Radio value="theirs" label={`Keep theirs: ${textOf(theirs)}`} />
    <Radio value="mine" label={`Save yours: ${textOf(mine)}`} />
  </Radio.Group>
);

/** Shows what another user has saved since the form opened, and asks which values to keep. */
const Review = ({ changes, changedTime, isOpen, isBusy, onClose, onSave }: ReviewProps): ReactNode => {
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const isOpenQuestion = changes.some(({ label, mine }) => mine !== undefined && choices[label] === undefined);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Changed in the meantime"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button onClick={() => onSave(choices)} loading={isBusy} disabled={isOpenQuestion} data-autofocus>
            Save
          </Button>
        </>
      }
    >
      <p>
        Another user has saved changes since you opened this form{changedTime && `, last on ${dateTime(changedTime)}`}.
        What only they have changed stays; what both of you have changed is yours to decide.
      </p>
      <dl className={classes.changes}>
        {changes.map((change) => {
          const { label, before, theirs, mine } = change;
          return (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <s>{textOf(before)}</s> <b>{textOf(theirs)}</b>
                {mine !== undefined && (
                  <Conflict
                    change={{ ...change, mine }}
                    choice={choices[label]}
                    onChoose={(choice) => setChoices({ ...choices, [label]: choice })}
                  />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </Dialog>
  );
};

/**
 * Saves a form whose record has a version. When another user was faster, the server refuses with a conflict; then the record is read again, their
 * changes are shown beside the form's, and the next save is based on their version with the chosen values. Their changes are never overwritten
 * without asking, and no input is lost. `dialog` can be rendered anywhere beside the form.
 */
export const useMergedSave = <Fields, Row extends Versioned>(
  options: MergedSave<Fields, Row>,
): { save: (fields: Fields) => void; dialog: ReactNode } => {
  const { opened, fieldsOf, groups, read, invalidates, send, isBusy, onGone } = options;
  const invalidate = useInvalidate();
  const [review, setReview] = useState<{ count: number; newest: Row; mine: Fields; isOpen: boolean }>();
  const versionsOf = (newest: Row, mine: Fields) => ({ groups, fieldsOf, opened: opened ?? newest, newest, mine });

  const keepDraftsAfterConflict = async (mine: Fields, sent: number | undefined): Promise<void> => {
    invalidate(invalidates);
    const newest = await read();
    if (newest && concurrentChanges(versionsOf(newest, mine)).length > 0) return show(newest, mine);
    // Refused for another reason, which the warning names: sending it again would be refused again.
    if (newest && newest.version === sent) return;
    if (newest) {
      // Their changes are outside this form, or equal to its values.
      withdraw(Message.changedMeanwhile);
      return sendOnTop(mine, newest.version, mine);
    }
    warn(Message.notFound);
    onGone?.();
  };
  const sendOnTop = (fields: Fields, version: number | undefined, mine: Fields) =>
    send(fields, version, ({ code }) => {
      if (code === Code.conflict && opened) void keepDraftsAfterConflict(mine, version).catch(showFailure);
    });
  const show = (newest: Row, mine: Fields) =>
    setReview((before) => ({ count: (before?.count ?? 0) + 1, newest, mine, isOpen: true }));
  const close = () => setReview((before) => before && { ...before, isOpen: false });

  return {
    save: (mine) => {
      if (review) show(review.newest, mine);
      else sendOnTop(mine, opened?.version, mine);
    },
    dialog: review && (
      <Review
        key={review.count}
        changes={concurrentChanges(versionsOf(review.newest, review.mine))}
        changedTime={review.newest.modifiedTime}
        isOpen={review.isOpen}
        isBusy={isBusy}
        onClose={close}
        onSave={(choices) =>
          sendOnTop(merged(versionsOf(review.newest, review.mine), choices), review.newest.version, review.mine)
        }
      />
    ),
  };
};
