/// The bytes of attributes that allow external storage (sqlite-store §6).
package enum ExternalBytes {
    /// The greatest length in bytes of a value in the row. A longer value goes to an external file, which the
    /// column names.
    package static let longestInline = 100_000
}
