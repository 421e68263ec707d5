import { type UserRow, users } from "@telltale/contract/users";
import { useRemoval } from "../../form/use-removal.tsx";

/** Asks before a user is deleted. (spec 2 §2) */
export const useRemoveUser = () =>
  useRemoval({
    call: users.remove,
    inputOf: ({ accountId }: UserRow) => ({ accountId }),
    invalidates: [users.list],
    title: "Delete user",
    question: ({ userEmail }) => (
      <>
        Are you sure that you want to delete this User?
        <p>{userEmail}</p>
      </>
    ),
  });
