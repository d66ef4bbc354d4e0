/// Returns a number with a word for what is counted: `1 row`, `12 rows`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
