/** Tables of a store, made where they are missing. */
export const STORE_TABLES = `
create table if not exists meta (key varchar primary key, value varchar not null);
create table if not exists renders (key varchar primary key, status varchar not null, reason varchar not null, pixels varchar not null, luminance double not null);
create table if not exists embeddings (instrument varchar not null, kind varchar not null, key varchar not null, status varchar not null, reason varchar not null, vector blob, primary key (instrument, kind, key));
create table if not exists coverage (instrument varchar not null, key varchar not null, total integer not null, used integer not null, characters integer not null, seen varchar not null, primary key (instrument, key));
create table if not exists outcomes (trial varchar primary key, status varchar not null, value double, reason varchar not null, record varchar);
create table if not exists rates (stage varchar not null, count bigint not null, seconds double not null);
`;

/** Version of the tables. */
export const STORE_SCHEMA = 'parallax/store@1';
