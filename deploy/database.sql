-- The postgres image runs this once, for a new volume: Telltale's role, which owns its database and no more.
\getenv password DATABASE_PASSWORD
CREATE ROLE telltale LOGIN PASSWORD :'password';
CREATE DATABASE telltale OWNER telltale ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' TEMPLATE template0;
GRANT pg_monitor TO telltale;
-- Without a password the superuser comes in from inside the database's container only.
ALTER ROLE postgres PASSWORD NULL;
