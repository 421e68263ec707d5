import { Message } from "@telltale/contract/call/codes";
import {
  conflicting,
  conflictMessage,
  keyboard,
  keyName,
  maxShortcutKeys,
  standardShortcuts,
  targetLabel,
} from "@telltale/contract/domains/people/personal";
import { type ReactNode, useState } from "react";
import { SelectField } from "../../../form/select-field.tsx";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Keycaps } from "../../../ui/keycaps.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useLeave } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./keyboard.module.css";
import { type Shortcut, useShortcuts, useTargets } from "./use-shortcuts.ts";

/** Parses the typed keys; keys beyond the maximum are dropped. */
const keysOf = (typed: string): string =>
  [...typed]
    .flatMap((character) => keyName(character) ?? [])
    .slice(0, maxShortcutKeys)
    .join(" ");

interface FormProps {
  /** Undefined for a new one. */
  initial: Shortcut | undefined;
  others: readonly Shortcut[];
}

const TargetField = ({
  field,
  initial,
}: {
  field: ReturnType<ReturnType<typeof useCallForm>["field"]>;
  initial: string | undefined;
}) => {
  const { pages, actions } = useTargets();
  const items = (targets: string[]) => targets.map((target) => ({ value: target, label: targetLabel(target) }));
  return (
    <SelectField
      {...field}
      label="Opens or does"
      placeholder="Choose a page or an action"
      data={[
        { group: "Pages", items: items(pages) },
        { group: "On the page", items: items(actions) },
      ]}
      defaultValue={initial ?? null}
    />
  );
};

const Form = ({ initial, others }: FormProps) => {
  const leave = useLeave();
  const [keys, setKeys] = useState(initial?.keys ?? "");
  const { mutate, isPending } = useAction(keyboard.edit, {
    success: initial ? "Modify successful" : "Add success",
    invalidates: [keyboard.list],
    onDone: () => leave({ to: "/keyboard" }),
  });
  const id = initial?.shortcutId;
  const taken = keys === "" ? undefined : conflicting(keys, [...standardShortcuts, ...others]);
  const form = useCallForm(
    keyboard.edit,
    ({ keys, target }) => mutate({ keys, target, ...(id !== undefined && { shortcutId: id }) }),
    ({ target }) => ({ keys: taken ? "" : keys, target: target || undefined }),
  );
  const field = form.field("keys");
  return (
    <form {...form.props} className={classes.form}>
      <TextField
        name="keys"
        label="Keys"
        description="One to three keys, pressed one after the other: letters, digits or signs"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={keys}
        onChange={(event) => {
          setKeys(keysOf(event.currentTarget.value));
          field.onInput();
        }}
        error={taken ? conflictMessage(taken) : field.error}
        data-autofocus
      />
      <p className={classes.preview}>{keys !== "" && <Keycaps keys={keys} />}</p>
      <TargetField field={form.field("target")} initial={initial?.target} />
      <div className={classes.buttons}>
        <Button type="submit" loading={isPending}>
          Save
        </Button>
        <Button component={Link} to="/keyboard" leaves variant="default">
          Cancel
        </Button>
      </div>
    </form>
  );
};

/** Creates or edits a user-defined shortcut. (decisions §4) */
export const ShortcutForm = ({ shortcutId }: { shortcutId: number | undefined }): ReactNode => {
  const { own, isOn, error, refetch } = useShortcuts();
  const initial = own.find((shortcut) => shortcut.shortcutId === shortcutId && shortcutId !== undefined);
  const isGone = shortcutId !== undefined && !initial;
  return (
    <>
      <PageTitle>
        <small>
          <Link to="/keyboard">KEYBOARD SHORTCUTS</Link> /
        </small>{" "}
        {shortcutId === undefined ? "Add" : "Edit"}
      </PageTitle>
      {isOn === undefined && error && (
        <Panel>
          <ErrorState error={error} onRetry={refetch} />
        </Panel>
      )}
      {isOn !== undefined && isGone && (
        <Panel>
          <EmptyState>{Message.notFound}</EmptyState>
        </Panel>
      )}
      {isOn !== undefined && !isGone && (
        <Form key={shortcutId ?? "new"} initial={initial} others={own.filter((shortcut) => shortcut !== initial)} />
      )}
    </>
  );
};
