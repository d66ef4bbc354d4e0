/// A name of a table, column, index or trigger as SQL reads it, whatever it contains.
package func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
