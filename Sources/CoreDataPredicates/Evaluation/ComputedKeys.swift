/// An object with computed properties that key paths can lead through.
package protocol ComputedKeys {
    /// Returns the value of a computed property; nil for any other key.
    func computedValue(forKey key: String) -> Any?
}
