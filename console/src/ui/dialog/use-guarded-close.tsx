import { type FocusEvent, Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../control/button.tsx";

type TextInput = HTMLInputElement | HTMLTextAreaElement;

const textTypes = new Set(["text", "email", "tel", "password", "number", "url"]);

/** Whether its text would be missed: what is typed to search or to choose from a list is not kept anyway, and a code is used once. */
const isTextInput = (target: EventTarget): target is TextInput =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement &&
    textTypes.has(target.type) &&
    target.role !== "combobox" &&
    target.autocomplete !== "one-time-code");

export interface GuardedClose {
  /** For the content: notes each field's value before it is edited. */
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  /** Closes, or shows the question first when there is typed text. */
  close: () => void;
  /** The footer: the given actions, or the question whether to discard the input. */
  footer: ReactNode;
}

/**
 * Escape, the close button and a click outside must not discard typed text without a question; Cancel says what it does and discards it.
 */
export const useGuardedClose = (isOpen: boolean, onClose: () => void, actions: ReactNode): GuardedClose => {
  const before = useRef(new Map<TextInput, string>());
  const editedField = useRef<TextInput>(undefined);
  const [isAsking, setAsking] = useState(false);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    setAsking(false);
  }
  useEffect(() => {
    if (!isOpen) before.current.clear();
  }, [isOpen]);
  const resume = () => {
    setAsking(false);
    editedField.current?.focus();
  };
  return {
    onFocus: ({ target, currentTarget }) => {
      // Events of dialogs above this one come through their portals.
      if (!currentTarget.contains(target) || !isTextInput(target) || before.current.has(target)) return;
      before.current.set(target, target.value);
    },
    close: () => {
      if (isAsking) return resume();
      const edited = [...before.current].find(([field, value]) => field.isConnected && field.value !== value);
      if (!edited) return onClose();
      editedField.current = edited[0];
      setAsking(true);
    },
    footer: isAsking ? (
      // With a key: a button in the actions' place would not take the focus.
      <Fragment key="question">
        <span role="alert">Discard your input?</span>
        <Button variant="default" onClick={resume} autoFocus>
          Keep editing
        </Button>
        <Button variant="ink" onClick={onClose}>
          Discard
        </Button>
      </Fragment>
    ) : (
      actions
    ),
  };
};
