/// The objects of eight neighbouring keys, in one cache line of the processor.
struct KeyPage: Equatable {
    static let keyCount = 8
    /// By how many bits a key is shifted to get the number of its page.
    static let keyBits: Int64 = 3
    static let byteCount = keyCount * MemoryLayout<UnsafeRawPointer?>.stride

    let objects: UnsafeMutablePointer<UnsafeRawPointer?>

    var isEmpty: Bool {
        // Searched from the end, since keys are mostly removed in ascending order.
        for index in (0..<Self.keyCount).reversed() where objects[index] != nil { return false }
        return true
    }
}

/// A supply of empty pages, which it allocates in blocks; not thread-safe.
struct KeyPageSupply {
    private static let largestBlock = 1024

    /// Pages that were given back, each of which begins with the address of the next.
    private var spare: UnsafeMutableRawPointer?
    /// The unused pages of the last block.
    private var rest: UnsafeMutableRawPointer?
    private var restCount = 0
    /// The last block, which begins with the address of the one before, in place of a page.
    private var block: UnsafeMutableRawPointer?
    private var blockCount = 2

    mutating func take() -> KeyPage {
        let memory: UnsafeMutableRawPointer
        if let page = spare {
            memory = page
            spare = page.load(as: UnsafeMutableRawPointer?.self)
        } else {
            if restCount == 0 { addBlock() }
            memory = rest!
            rest = memory + KeyPage.byteCount
            restCount -= 1
        }
        let objects = memory.bindMemory(to: UnsafeRawPointer?.self, capacity: KeyPage.keyCount)
        objects.initialize(repeating: nil, count: KeyPage.keyCount)
        return KeyPage(objects: objects)
    }

    mutating func giveBack(_ page: KeyPage) {
        let memory = UnsafeMutableRawPointer(page.objects)
        memory.storeBytes(of: spare, as: UnsafeMutableRawPointer?.self)
        spare = memory
    }

    private mutating func addBlock() {
        blockCount = min(blockCount * 2, Self.largestBlock)
        let next = UnsafeMutableRawPointer.allocate(
            byteCount: blockCount * KeyPage.byteCount, alignment: KeyPage.byteCount)
        next.storeBytes(of: block, as: UnsafeMutableRawPointer?.self)
        block = next
        rest = next + KeyPage.byteCount
        restCount = blockCount - 1
    }

    /// Frees all pages; neither they nor the supply may be used afterwards.
    func deallocate() {
        var next = block
        while let block = next {
            next = block.load(as: UnsafeMutableRawPointer?.self)
            block.deallocate()
        }
    }
}
