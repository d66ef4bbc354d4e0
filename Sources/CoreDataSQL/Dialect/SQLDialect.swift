/// The spelling of SQL where databases differ, as one value.
///
/// Each compiler takes the protocol that it needs. A member exists only because two databases differ in it,
/// and is asked while SQL is compiled, never for each row. Placeholders are always `?`: text holds no literal
/// from outside, so a driver can number them.
package typealias SQLDialect = QueryDialect & WriteDialect & SchemaDialect & MigrationDialect
