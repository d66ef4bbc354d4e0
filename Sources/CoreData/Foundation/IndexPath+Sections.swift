public import Foundation

/// Positions in sections, as fetched results controllers count them.
extension IndexPath {
    /// Makes the position of a row in a section, as fetched results controllers count them.
    public init(row: Int, section: Int) {
        // Making it from an array, which is allocated, takes three times as long.
        self.init(index: section)
        append(row)
    }

    /// Makes the position of an item in a section.
    public init(item: Int, section: Int) { self.init(row: item, section: section) }

    /// The section: the first index.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The row in its section: the second index.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The item in its section: the second index.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
