/// The text that people read for a number of bytes: `812 bytes`, `4.1 KB`, `1.3 GB`.
enum ByteCount {
    static func text(_ count: Int64) -> String {
        guard count >= 1000 else { return counted(count, "byte") }
        var value = Double(count)
        var unit = ""
        for next in ["KB", "MB", "GB", "TB"] where value >= 1000 || unit.isEmpty {
            value /= 1000
            unit = next
        }
        let tenths = (value * 10).rounded() / 10
        return value < 100 ? "\(tenths) \(unit)" : "\(Int(value.rounded())) \(unit)"
    }
}
