/** Names of the database that SQL users enter and of the roles around it. Roles belong to all databases of a PostgreSQL, so they are named after one. */
export interface SqlNames {
  /** Telltale's own database. */
  own: string;
  offered: string;
  /** Owns what is offered; cannot log in. */
  owner: string;
  /** Asks Telltale's own database for it. */
  reader: string;
  /** All SQL users are its members; cannot log in. */
  users: string;
}

/** The address of another database on the same PostgreSQL. */
export const withDatabase = (url: string, name: string): string => {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
};

/** The names for the database of this address. */
export const sqlNamesOf = (databaseUrl: string): SqlNames => {
  const own = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  const offered = `${own}_sql`;
  return { own, offered, owner: `${offered}_owner`, reader: `${offered}_reader`, users: `${offered}_users` };
};
