public import Foundation

/// Positions in sections, as fetched results controllers count them.
extension IndexPath {
    public init(row: Int, section: Int) {
        // From a list, which would be allocated, it takes thrice as long.
        self.init(index: section)
        append(row)
    }

    public init(item: Int, section: Int) { self.init(row: item, section: section) }

    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
