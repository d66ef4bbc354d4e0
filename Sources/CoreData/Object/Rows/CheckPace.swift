#if CORE_DATA_CHECKS
/// The pace of checks that look at every entry: after each change of a small collection, and after changes
/// of a quarter of a large one, so that changes stay linear.
struct CheckPace {
    private var changes = 0

    mutating func isDue(entries: Int) -> Bool {
        changes += 1
        guard entries <= 64 || changes >= entries / 4 else { return false }
        changes = 0
        return true
    }
}
#endif
