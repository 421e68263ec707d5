import type { SignInRow } from "@telltale/contract/domains/people/sign-ins";
import { browserName } from "../../../domain/browser-name.ts";
import { CellText, type Column, NarrowText } from "../../../table/column.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { dateTime, recent } from "../../../ui/format/time.ts";
import classes from "./sign-ins.module.css";

type OnEnd = ((signIn: SignInRow) => void) | undefined;

const EndCell = ({ signIn, onEnd }: { signIn: SignInRow; onEnd: OnEnd }) => {
  if (signIn.isCurrent) return <b className={classes.current}>This session</b>;
  return (
    onEnd && (
      <Button
        variant="default"
        size="xs"
        aria-label={`Sign out ${browserName(signIn.userAgent)}, ${signIn.address}`}
        onClick={() => onEnd(signIn)}
      >
        Sign out
      </Button>
    )
  );
};

/** The columns of sessions; `onEnd` is absent in a read-only view. */
export const sessionColumns = (onEnd: OnEnd): Column<SignInRow>[] => [
  {
    key: "browser",
    head: "BROWSER",
    width: 180,
    narrow: "top-main",
    cell: ({ userAgent }) => (
      <b className={classes.name} title={userAgent}>
        {browserName(userAgent)}
      </b>
    ),
  },
  {
    key: "account",
    head: "ACCOUNT",
    width: 200,
    cell: ({ roleName, alias }) => <CellText>{alias ? `${roleName} · ${alias}` : roleName}</CellText>,
  },
  {
    key: "address",
    head: "ADDRESS",
    width: 150,
    narrow: "below-main",
    cell: ({ address }) => <CellText>{address}</CellText>,
  },
  {
    key: "used",
    head: "LAST USED",
    width: 160,
    narrow: "below-end",
    cell: ({ usedTime }) => (
      <span>
        <NarrowText>last used</NarrowText>
        {recent(usedTime)}
      </span>
    ),
  },
  {
    key: "created",
    head: "SIGNED IN",
    width: 160,
    cell: ({ createdTime, isBySso }) => (
      <span>
        {dateTime(createdTime)}
        {isBySso && <span className={classes.how}>by single sign-on</span>}
      </span>
    ),
  },
  {
    key: "end",
    head: "OPERATION",
    width: 120,
    align: "end",
    narrow: "top-end",
    cell: (signIn) => <EndCell signIn={signIn} onEnd={onEnd} />,
  },
];
