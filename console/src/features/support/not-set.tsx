import { Role } from "@telltale/contract/permissions";
import type { ReactNode } from "react";
import { useSession } from "../../session/session.ts";
import classes from "./not-set.module.css";

interface NotSetProps {
  /** What is missing, as a sentence. */
  what: string;
  /** The server's environment variables that set it. */
  variables: readonly string[];
}

/** Shown instead of information that only the server's operator can provide; to owners and admins also how. */
export const NotSet = ({ what, variables }: NotSetProps): ReactNode => {
  const { account } = useSession();
  const isResponsible = account.roleType === Role.owner || account.roleType === Role.admin;
  return (
    <div className={classes.note}>
      <p>{what}</p>
      {isResponsible ? (
        <p>
          The operator of this server sets{" "}
          {variables.map((name, index) => (
            <span key={name}>
              {index > 0 && (index === variables.length - 1 ? " and " : ", ")}
              <code>{name}</code>
            </span>
          ))}{" "}
          and starts it again.
        </p>
      ) : (
        <p>Ask an owner or admin of your plant.</p>
      )}
    </div>
  );
};
