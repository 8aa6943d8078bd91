<#ftl output_format="XML">
<svg xmlns="http://www.w3.org/2000/svg" width="800" height="${height}" viewBox="0 0 800 ${height}" role="img" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="800" height="${height}" fill="#ffffff"/>
<text x="16" y="24" font-size="14" font-weight="bold" fill="#111827">${title}</text>
<#list legend as part>
<rect x="${264 + part?index * 116}" y="38" width="10" height="10" fill="${part.colour}"/>
<text x="${279 + part?index * 116}" y="47" fill="#374151">${part.name}</text>
</#list>
<#list rows as row>
<g transform="translate(264 ${row.y})">
<text x="-12" y="15" text-anchor="end" fill="#111827">${row.label}</text>
<#list row.parts as part>
<rect x="${part.x}" y="2" width="${part.width}" height="18" fill="${part.colour}"><title>${part.tip}</title></rect>
</#list>
<text x="${row.end}" y="15" dx="6" fill="#111827">${row.total}</text>
</g>
</#list>
</svg>
