/// Bytes of attributes that allow external storage (sqlite-store §6).
package enum ExternalBytes {
    /// Values of more bytes go to a file of their own, and the column names it.
    package static let longestInline = 100_000
}
