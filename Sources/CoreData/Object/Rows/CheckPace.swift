#if CORE_DATA_CHECKS
/// The frequency of checks of all entries: after each change of a small collection, and after changes to a
/// quarter of a large one, so that the total cost stays linear in the number of changes.
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
