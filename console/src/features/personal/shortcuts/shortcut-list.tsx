import { Switch } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { keyboard, targetLabel } from "@telltale/contract/domains/people/personal";
import type { ReactNode } from "react";
import { useRemoval } from "../../../form/use-confirmed-action.tsx";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { Keycaps } from "../../../ui/keycaps.tsx";
import { OperationButton, Operations } from "../../../ui/operation-button.tsx";
import { AddButton } from "../../../ui/page/add-button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import classes from "./keyboard.module.css";
import { ShortcutTable } from "./shortcut-table.tsx";
import { type Shortcut, useShortcuts } from "./use-shortcuts.ts";

/** Asks for confirmation before a user-defined shortcut is deleted. */
const useRemoveShortcut = () =>
  useRemoval({
    call: keyboard.remove,
    inputOf: ({ shortcutId }: Shortcut) => (shortcutId === undefined ? {} : { shortcutId }),
    invalidates: [keyboard.list],
    title: "Delete shortcut",
    question: ({ target, keys }) => (
      <>
        Are you sure that you want to delete this shortcut?
        <p>
          {targetLabel(target)} <Keycaps keys={keys} />
        </p>
      </>
    ),
  });

const OnSwitch = ({ isOn }: { isOn: boolean | undefined }) => {
  const { can } = useSession();
  const { mutate, isPending } = useAction(keyboard.enable, {
    success: "Modify successful",
    invalidates: [keyboard.list],
  });
  return (
    <Switch
      className={classes.switch}
      label="Listen to keyboard shortcuts"
      checked={isOn ?? false}
      disabled={isOn === undefined || isPending || !can("personal.write")}
      onChange={(event) => mutate({ isOn: event.currentTarget.checked })}
    />
  );
};

const Own = ({ own }: { own: readonly Shortcut[] }) => {
  const isEditor = useSession().can("personal.write");
  const navigate = useNavigate();
  const removing = useRemoveShortcut();
  const operations = (shortcut: Shortcut) => (
    <Operations>
      <OperationButton
        label={`Edit ${shortcut.keys}`}
        icon={IconPencil}
        onClick={() => void navigate({ to: "/keyboardAdd", search: { shortcutId: shortcut.shortcutId } })}
      />
      <OperationButton label={`Delete ${shortcut.keys}`} icon={IconTrash} onClick={() => removing.ask(shortcut)} />
    </Operations>
  );
  return (
    <>
      {own.length === 0 ? (
        <EmptyState>There are no shortcuts of your own</EmptyState>
      ) : (
        <ShortcutTable label="Your own" shortcuts={own} {...(isEditor && { operations })} />
      )}
      {removing.dialog}
    </>
  );
};

/** The built-in and the user's own shortcuts, and the switch for all of them. (decisions §4) */
export const KeyboardPage = (): ReactNode => {
  const { standard, own, isOn, error, refetch } = useShortcuts();
  const isEditor = useSession().can("personal.write");
  const addLink = isEditor && <AddButton label="Add shortcut" to="/keyboardAdd" />;
  if (isOn === undefined && error)
    return (
      <>
        <PageTitle>KEYBOARD SHORTCUTS</PageTitle>
        <Panel>
          <ErrorState error={error} onRetry={refetch} />
        </Panel>
      </>
    );
  return (
    <>
      <PageTitle aside={addLink}>KEYBOARD SHORTCUTS</PageTitle>
      <p className={classes.note}>
        Press the keys one after the other, without Ctrl or Alt. They are not listened to while you type into a field.
      </p>
      <OnSwitch isOn={isOn} />
      <div className={classes.columns}>
        <Panel title="The console's">
          <ShortcutTable label="The console's" shortcuts={standard} />
        </Panel>
        <Panel title="Your own">{isOn !== undefined && <Own own={own} />}</Panel>
      </div>
    </>
  );
};
